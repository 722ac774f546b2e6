package io.millrace.admin;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// Swagger UI in a browser, used as a person does: an operation is opened, filled in and executed.
final class SwaggerUi {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    /// Fills a field so that the page takes notice, as if it was typed.
    private static final String TYPE = """
            (field, text) => {
                const kind = field.tagName === 'TEXTAREA' ? HTMLTextAreaElement : HTMLInputElement;
                Object.getOwnPropertyDescriptor(kind.prototype, 'value').set.call(field, text);
                field.dispatchEvent(new Event('input', {bubbles: true}));
                field.dispatchEvent(new FocusEvent('focusout', {bubbles: true}));
                return 'typed';
            }""";

    private final Browser browser;
    private final JsonMapper json = new JsonMapper();

    /// Opens the page and waits until it knows the document.
    SwaggerUi(Browser browser, String url) {
        this.browser = browser;
        browser.open(url);
        browser.shows("Millrace admin API");
    }

    /// Executes an operation.
    ///
    /// @param parameters those whose example does not do
    /// @param body null: it takes none
    /// @return status and body of the answer, as the page shows them
    String execute(String operation, Map<String, String> parameters, @Nullable String body) {
        var block = "document.querySelector('[id^=\"operations-\"][id$=\"-" + operation + "\"]')";
        until(block + " !== null");
        browser.evaluate(block + ".scrollIntoView()");
        if (!isTrue(block + ".classList.contains('is-open')")) {
            browser.evaluate(block + ".querySelector('.opblock-summary-control').click()");
        }
        until(block + ".querySelector('button.execute') !== null");
        parameters.forEach((name, value) -> type(block + ".querySelector('tr[data-param-name=" + name + "] input')",
                value));
        if (body != null) {
            type(block + ".querySelector('textarea.body-param__text')", body);
        }
        var answer = block + ".querySelector('.live-responses-table .response')";
        if (isTrue(block + ".querySelector('button.btn-clear') !== null")) {
            browser.evaluate(block + ".querySelector('button.btn-clear').click()");
            until(answer + " === null");
        }
        browser.evaluate(block + ".querySelector('button.execute').click()");
        until(answer + " !== null");
        return browser.evaluate(answer + ".innerText");
    }

    private void type(String field, String text) {
        until(field + " !== null");
        browser.evaluate("(" + TYPE + ")(" + field + ", " + json.writeValueAsString(text) + ")");
        until(field + ".value === " + json.writeValueAsString(text));
    }

    private boolean isTrue(String condition) {
        return browser.evaluate("String(" + condition + ")").equals("true");
    }

    private void until(String condition) {
        await(condition).atMost(LIMIT).until(() -> isTrue(condition));
    }
}
