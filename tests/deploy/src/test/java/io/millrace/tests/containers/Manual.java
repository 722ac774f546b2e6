package io.millrace.tests.containers;

import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Pattern;

/// Commands that pages of this project tell people to type.
final class Manual {
    private static final Pattern BLOCK = Pattern.compile("^```\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

    private Manual() {}

    /// The first block of commands with this text in it.
    static String commands(String page, String text) throws IOException {
        return BLOCK.matcher(Files.readString(Docker.HOME.resolve(page))).results().map(block -> block.group(1)).filter(
                block -> block.contains(text)).findFirst().orElseThrow(() -> new AssertionError("no commands with "
                        + text + " in " + page));
    }
}
