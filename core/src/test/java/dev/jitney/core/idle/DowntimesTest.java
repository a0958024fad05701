package dev.jitney.core.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.core.idle.Downtimes.Downtime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("IDLE-14: downtime of the broker does not count as idle time")
class DowntimesTest {

    @Test
    @DisplayName("without downtime the end is a duration after the start")
    void none() {
        assertThat(Downtimes.NONE.end(100, 50)).isEqualTo(150);
        assertThat(Downtimes.NONE.end(Long.MAX_VALUE - 1, 50)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    @DisplayName("only downtime between the start and the end moves the end")
    void between() {
        assertThat(Downtimes.NONE.and(10, 100).end(100, 50)).isEqualTo(150);
        assertThat(Downtimes.NONE.and(150, 200).end(100, 50)).isEqualTo(150);
        assertThat(Downtimes.NONE.and(149, 200).end(100, 50)).isEqualTo(201);
        assertThat(Downtimes.NONE.and(90, 120).end(100, 50)).isEqualTo(170);
        assertThat(Downtimes.NONE.and(100, 120).and(130, 140).end(100, 50)).isEqualTo(180);
        assertThat(Downtimes.NONE.and(100, 120).and(169, 269).end(100, 50)).isEqualTo(270);
        assertThat(Downtimes.NONE.and(100, 120).and(170, 269).end(100, 50)).isEqualTo(170);
    }

    @Test
    @DisplayName("downtimes that touch or overlap, as after a clock was set back, are merged, and no time counts twice")
    void overlap() {
        Downtimes both = Downtimes.NONE.and(10, 50).and(30, 70);
        assertThat(both.all()).containsExactly(new Downtime(10, 70));
        assertThat(both.and(20, 60)).isEqualTo(both);
        assertThat(both.and(80, 80)).isSameAs(both);
        assertThat(both.and(80, 70)).isSameAs(both);
        assertThat(both.and(70, 80).all()).containsExactly(new Downtime(10, 80));
        assertThat(both.and(5, 10).all()).containsExactly(new Downtime(5, 70));
    }

    @Test
    @DisplayName("a downtime that began before older ones, after a clock was set back, counts from its start")
    void clockSetBack() {
        Downtimes older = Downtimes.NONE.and(10, 15).and(40, 50).and(60, 70);
        assertThat(older.and(20, 100).all()).containsExactly(new Downtime(10, 15), new Downtime(20, 100));
        assertThat(older.and(20, 30).all())
                .containsExactly(
                        new Downtime(10, 15), new Downtime(20, 30), new Downtime(40, 50), new Downtime(60, 70));
        assertThat(older.and(20, 55).all())
                .containsExactly(new Downtime(10, 15), new Downtime(20, 55), new Downtime(60, 70));
        assertThat(older.and(0, 5).all().get(0)).isEqualTo(new Downtime(0, 5));
        assertThat(older.and(20, 100).end(18, 30)).isEqualTo(18 + 30 + 80);
    }

    @Test
    @DisplayName("downtimes that ended before a time are dropped")
    void forgetting() {
        Downtimes three = Downtimes.NONE.and(10, 20).and(30, 40).and(50, 60);
        assertThat(three.after(19)).isSameAs(three);
        assertThat(three.after(20).all()).containsExactly(new Downtime(30, 40), new Downtime(50, 60));
        assertThat(three.after(Long.MAX_VALUE).all()).isEmpty();
    }

    @Test
    @DisplayName("of too many downtimes the oldest are merged with the time between them")
    void bounded() {
        Downtimes many = Downtimes.NONE;
        for (int i = 0; i < Downtimes.COUNT_MAX + 2; i++) {
            many = many.and(100L * i, 100L * i + 10);
        }
        assertThat(many.all()).hasSize(Downtimes.COUNT_MAX);
        assertThat(many.all().get(0)).isEqualTo(new Downtime(0, 210));
        assertThat(many.all().get(1)).isEqualTo(new Downtime(300, 310));
        Downtimes setBack = many.and(250, 260);
        assertThat(setBack.all()).hasSize(Downtimes.COUNT_MAX);
        assertThat(setBack.all().get(0)).isEqualTo(new Downtime(0, 260));
    }

    @Test
    @DisplayName("downtimes that are not in the order of time are refused")
    void order() {
        List<Downtime> crossed = List.of(new Downtime(10, 30), new Downtime(20, 40));
        assertThatThrownBy(() -> new Downtimes(crossed)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Downtime(10, 10)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("the end is the first time at which the time without downtime has the full duration")
    void isWhatCountingTells() {
        Random random = new Random(20_261_121);
        for (int round = 0; round < 500; round++) {
            Downtimes downtimes = Downtimes.NONE;
            List<Downtime> all = new ArrayList<>();
            long at = 0;
            for (int i = random.nextInt(5); i > 0; i--) {
                long from = at + random.nextInt(20);
                at = from + 1 + random.nextInt(20);
                all.add(new Downtime(from, at));
                downtimes = downtimes.and(from, at);
            }
            long since = random.nextInt(100);
            long duration = 1 + random.nextInt(60);
            long end = since;
            for (long idle = 0; idle < duration; end++) {
                long now = end;
                idle += all.stream().anyMatch(one -> one.fromMs() <= now && now < one.untilMs()) ? 0 : 1;
            }
            assertThat(downtimes.end(since, duration))
                    .as("%s since %d for %d", all, since, duration)
                    .isEqualTo(end);
        }
    }

    @Test
    @DisplayName("for any changes of the clock between restarts, all time of every downtime is included, and in order")
    void clockSetAtWill() {
        Random random = new Random(20_261_122);
        for (int round = 0; round < 500; round++) {
            Downtimes downtimes = Downtimes.NONE;
            List<Downtime> all = new ArrayList<>();
            for (int i = random.nextInt(2 * Downtimes.COUNT_MAX); i > 0; i--) {
                long from = random.nextInt(5_000);
                long until = from + 1 + random.nextInt(random.nextBoolean() ? 10 : 200);
                all.add(new Downtime(from, until));
                downtimes = downtimes.and(from, until);
            }
            for (Downtime one : all) {
                assertThat(downtimes.all())
                        .as("%s of %s", one, all)
                        .anyMatch(kept -> kept.fromMs() <= one.fromMs() && one.untilMs() <= kept.untilMs());
            }
        }
    }
}
