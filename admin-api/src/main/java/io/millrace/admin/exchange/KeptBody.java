package io.millrace.admin.exchange;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import io.millrace.admin.problem.Problem;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/// A request whose body was read and can be read again.
final class KeptBody extends HttpServletRequestWrapper {
    private static final int LARGEST = 8 << 20;

    private final byte[] body;

    private KeptBody(HttpServletRequest request, byte[] body) {
        super(request);
        this.body = body;
    }

    /// Reads the body of `request`.
    ///
    /// @throws Problem where it is too large to be kept
    static KeptBody of(HttpServletRequest request) throws IOException {
        var body = request.getInputStream().readNBytes(LARGEST + 1);
        if (body.length > LARGEST) {
            throw Problem.tooLarge("a request that may be repeated has at most " + LARGEST + " bytes");
        }
        return new KeptBody(request, body);
    }

    /// The same for the same request only: verb, path, query and body.
    String digest() {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            var line = getMethod() + " " + getRequestURI() + "?" + getQueryString() + "\n";
            digest.update(line.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest.digest(body));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    @Override
    public ServletInputStream getInputStream() {
        var bytes = new ByteArrayInputStream(body);
        return new ServletInputStream() {
            @Override
            public boolean isFinished() {
                return bytes.available() == 0;
            }

            @Override
            public boolean isReady() {
                return true;
            }

            @Override
            public void setReadListener(ReadListener listener) {
                throw new IllegalStateException("read by blocking only");
            }

            @Override
            public int read() {
                return bytes.read();
            }

            @Override
            public int read(byte[] to, int offset, int length) {
                return bytes.read(to, offset, length);
            }
        };
    }

    @Override
    public BufferedReader getReader() {
        return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
    }
}
