/// The Helm chart, the alerts and the dashboards, without a cluster: rendered by Helm's own library, checked by promtool.
@NullMarked
package io.millrace.tests.chart;

import org.jspecify.annotations.NullMarked;
