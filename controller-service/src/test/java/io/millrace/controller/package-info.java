@NullMarked
package io.millrace.controller;

import org.jspecify.annotations.NullMarked;
