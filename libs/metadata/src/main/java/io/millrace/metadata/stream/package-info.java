/// Both ends of the metadata stream: a snapshot, then deltas, downwards; the version applied, upwards; heartbeats both ways.
///
/// The server end runs on the event loops of the HTTP/2 connections; the client end calls its listener on the loop it was
/// given.
@NullMarked
package io.millrace.metadata.stream;

import org.jspecify.annotations.NullMarked;
