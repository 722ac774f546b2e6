package io.millrace.admin.exchange;

import java.io.IOException;
import java.util.concurrent.Semaphore;

import io.millrace.admin.problem.Problem;
import jakarta.servlet.http.HttpServletResponse;
import lombok.extern.slf4j.Slf4j;
import tools.jackson.databind.json.JsonMapper;

/// Server-sent events to a bounded number of readers, each written by the thread of its own request, so that one that
/// reads slowly holds up nobody else.
@Slf4j
public final class EventStreams {
    private static final int MOST = 200;

    private final JsonMapper json;
    private final Semaphore free = new Semaphore(MOST);

    public EventStreams(JsonMapper json) {
        this.json = json;
    }

    /// What writes to one reader, until it returns, or the reader has gone.
    @FunctionalInterface
    public interface Writing {
        /// @throws IOException where the reader has gone
        void to(Reader reader) throws IOException, InterruptedException;
    }

    /// One reader. Confined to the thread of its request.
    public final class Reader {
        private final HttpServletResponse response;

        private Reader(HttpServletResponse response) {
            this.response = response;
        }

        /// One event.
        ///
        /// @param id to go on from with `Last-Event-ID`
        /// @param data shown as JSON
        public void send(String id, String event, Object data) throws IOException {
            write("id: " + id + "\nevent: " + event + "\ndata: " + json.writeValueAsString(data) + "\n\n");
        }

        /// A sign of life, which readers pass over.
        public void heartbeat() throws IOException {
            write(": \n\n");
        }

        private void write(String text) throws IOException {
            response.getOutputStream().write(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            response.flushBuffer();
        }
    }

    /// Writes events until `writing` is done or the reader has gone.
    ///
    /// @throws Problem where there are too many readers
    public void stream(HttpServletResponse response, Writing writing) {
        if (!free.tryAcquire()) {
            throw Problem.tooMany("there are " + MOST + " readers of events already");
        }
        try {
            response.setContentType("text/event-stream;charset=UTF-8");
            response.setHeader("Cache-Control", "no-store");
            response.setHeader("X-Accel-Buffering", "no");
            response.flushBuffer();
            writing.to(new Reader(response));
        } catch (IOException gone) {
            log.debug("event=reader-gone cause=\"{}\"", gone.getMessage());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            free.release();
        }
    }
}
