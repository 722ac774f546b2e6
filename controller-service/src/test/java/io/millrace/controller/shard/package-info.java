@NullMarked
package io.millrace.controller.shard;

import org.jspecify.annotations.NullMarked;
