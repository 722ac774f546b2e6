/// The envelope that every answer shares: kinds, links and lists in the shape of Confluent's REST API v3.
@NullMarked
package io.millrace.admin.resource;

import org.jspecify.annotations.NullMarked;
