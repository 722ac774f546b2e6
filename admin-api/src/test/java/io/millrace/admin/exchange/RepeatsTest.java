package io.millrace.admin.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

import io.millrace.admin.FakeDocuments;
import io.millrace.admin.exchange.Repeats.Answer;
import io.millrace.admin.exchange.Repeats.Claim;
import io.millrace.base.simulation.SimulatedLoop;
import org.junit.jupiter.api.Test;

/// Two instances' [Repeats] over the same documents.
class RepeatsTest {
    private final FakeDocuments documents = new FakeDocuments();
    private final SimulatedLoop loop = new SimulatedLoop();
    private final Repeats one = new Repeats(documents, loop.clock());
    private final Repeats other = new Repeats(documents, loop.clock());

    private Claim.First first(Repeats repeats, String key) {
        var claim = repeats.claim(key, "digest");
        assertThat(claim).isInstanceOf(Claim.First.class);
        return (Claim.First) claim;
    }

    @Test
    void whatAnInstanceDiedWithIsNotDoneAgain() {
        first(one, "k");
        assertThat(other.claim("k", "digest")).isEqualTo(new Claim.UnderWay());
        loop.advance(Duration.ofMinutes(3));
        assertThat(other.claim("k", "digest")).isEqualTo(new Claim.Lost());
    }

    @Test
    void keyIsForgottenAfterADay() {
        one.answered(first(one, "k"), new Answer(204, null, null, ""));
        loop.advance(Duration.ofHours(23));
        assertThat(other.claim("k", "digest")).isEqualTo(new Claim.Repeated(new Answer(204, null, null, "")));
        loop.advance(Duration.ofHours(2));
        first(other, "k");
        assertThat(one.claim("k", "digest")).isEqualTo(new Claim.UnderWay());
    }

    @Test
    void answerThatIsTooLargeIsKnownToHaveBeenGiven() {
        one.answered(first(one, "k"), new Answer(200, "application/json", null, "x".repeat(1_000_000)));
        assertThat(other.claim("k", "digest")).isEqualTo(new Claim.Repeated(new Answer(200, "application/json", null,
                null)));
    }

    @Test
    void keysAreBoundedAndTheOldestGoFirst() {
        for (int i = 0; i < 6_001; i++) {
            loop.advance(Duration.ofMillis(1));
            one.answered(first(one, "k" + i), new Answer(204, null, null, ""));
        }
        assertThat(documents.all("repeats")).hasSizeLessThanOrEqualTo(5_500);
        assertThat(other.claim("k6000", "digest")).isInstanceOf(Claim.Repeated.class);
        first(other, "k0");
    }
}
