package io.millrace.admin.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.millrace.admin.problem.Problem;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/// Which records are shown: those of a key, those whose key or value contains a text, those for which an expression holds.
/// **pure**
///
/// An expression is one comparison or several, joined by `&&`: `value.customer.id == 42 && headers.kind != "test"`. To its left is `key`,
/// `value` (whole, or a path into its JSON), `headers.NAME`, `offset`, `timestamp` or `partition`; the operators are
/// `== != < <= > >=` and `~` (contains). Numbers are compared as such where both sides are.
final class RecordFilter {
    private static final int MOST_TERMS = 16;
    private static final Pattern TERM = Pattern.compile(
            "\\s*(key|value|offset|timestamp|partition|headers)((?:\\.[^\\s=!<>~]+)?)\\s*(==|!=|<=|>=|<|>|~)\\s*(.+?)\\s*");
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");

    private final @Nullable String key;
    private final @Nullable String contains;
    private final List<Term> terms;

    private record Term(String subject, List<String> path, String operator, String literal) {}

    private RecordFilter(@Nullable String key, @Nullable String contains, List<Term> terms) {
        this.key = key;
        this.contains = contains;
        this.terms = terms;
    }

    /// @param expression null: any record
    /// @throws Problem where it is none
    static RecordFilter of(@Nullable String key, @Nullable String contains, @Nullable String expression) {
        var terms = new ArrayList<Term>();
        if (expression != null) {
            for (var text : expression.split("&&", -1)) {
                terms.add(term(TERM.matcher(text), text));
            }
            if (terms.size() > MOST_TERMS) {
                throw Problem.badRequest("filter has at most " + MOST_TERMS + " comparisons");
            }
        }
        return new RecordFilter(key, contains, List.copyOf(terms));
    }

    private static Term term(Matcher found, String text) {
        boolean pathFits = found.matches() && (!found.group(2).isEmpty() || !found.group(1).equals("headers"));
        if (!pathFits) {
            throw Problem.badRequest("filter cannot be read at '" + Problem.shown(text.strip())
                    + "': it is like value.id == 42 && headers.kind != \"test\"");
        }
        var path = found.group(2).isEmpty()
                ? List.<String>of()
                : Arrays.asList(found.group(2).substring(1).split("\\.", -1));
        var literal = found.group(4);
        boolean quoted = literal.length() > 1 && literal.startsWith("\"") && literal.endsWith("\"");
        return new Term(found.group(1), path, found.group(3), quoted
                ? literal.substring(1, literal.length() - 1)
                : literal);
    }

    boolean accepts(TopicPartition partition, Record record) {
        if (key != null && !Format.utf8(record.key()).filter(key::equals).isPresent()) {
            return false;
        }
        if (contains != null && !has(record.key(), contains) && !has(record.value(), contains)) {
            return false;
        }
        return terms.stream().allMatch(term -> holds(term, partition, record));
    }

    private static boolean has(java.nio.@Nullable ByteBuffer bytes, String text) {
        return Format.utf8(bytes).filter(found -> found.contains(text)).isPresent();
    }

    private static boolean holds(Term term, TopicPartition partition, Record record) {
        var found = subject(term, partition, record);
        if (found.isEmpty()) {
            return term.operator.equals("!=");
        }
        var value = found.get();
        return switch (term.operator) {
            case "~" -> value.contains(term.literal);
            case "==" -> compare(value, term.literal) == 0;
            case "!=" -> compare(value, term.literal) != 0;
            case "<" -> compare(value, term.literal) < 0;
            case "<=" -> compare(value, term.literal) <= 0;
            case ">" -> compare(value, term.literal) > 0;
            default -> compare(value, term.literal) >= 0;
        };
    }

    private static int compare(String value, String literal) {
        return NUMBER.matcher(value).matches() && NUMBER.matcher(literal).matches()
                ? new java.math.BigDecimal(value).compareTo(new java.math.BigDecimal(literal))
                : value.compareTo(literal);
    }

    private static Optional<String> subject(Term term, TopicPartition partition, Record record) {
        return switch (term.subject) {
            case "offset" -> Optional.of(Long.toString(record.offset()));
            case "timestamp" -> Optional.of(Long.toString(record.timestamp()));
            case "partition" -> Optional.of(Integer.toString(partition.partition()));
            case "headers" -> Arrays.stream(record.headers())
                    .filter(header -> header.key().equals(String.join(".", term.path)))
                    .findFirst()
                    .flatMap(header -> Format.utf8(header.value() == null
                            ? null
                            : java.nio.ByteBuffer.wrap(header.value())));
            case "key" -> inside(record.key(), term.path);
            default -> inside(record.value(), term.path);
        };
    }

    private static Optional<String> inside(java.nio.@Nullable ByteBuffer bytes, List<String> path) {
        if (bytes == null || path.isEmpty()) {
            return Format.utf8(bytes);
        }
        return Format.tree(Utils.toArray(bytes.duplicate())).map(tree -> {
            var node = tree;
            for (var step : path) {
                node = step.matches("\\d{1,9}") && node.isArray()
                        ? node.path(Integer.parseInt(step))
                        : node.path(step);
            }
            return node;
        }).filter(node -> !node.isMissingNode() && !node.isNull()).map(node -> node.isString()
                ? node.stringValue()
                : node.toString());
    }
}
