import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answers, type Behavior, startWebhookSink, verify } from "../support/webhook-sink.ts";
import { secret } from "./start-outbound.ts";

const lives = 6;
/** More than one life delivers, so that the last one too meets its end with work left. */
const eventsALife = 80;
/** Deliveries of one endpoint that are under way at once. */
const underWay = 4;

test("killing the process between sending and recording loses no webhook, and repeats those under way at most", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "plumbline-crash-"));
  const sink = await startWebhookSink();
  const printed: Promise<string>[] = [];
  const start = (events: number) => {
    const script = join(import.meta.dir, "deliver-until-killed.ts");
    const argv = [process.execPath, script, dataDir, sink.url, String(events)];
    const child = Bun.spawn(argv, { stdout: "pipe", stderr: "inherit" });
    printed.push(new Response(child.stdout).text());
    return child;
  };

  for (let life = 1; life <= lives; life += 1) {
    const child = start(eventsALife);
    const kill: Behavior = (socket, request) => {
      // Half of the time the receiver has answered: it is done with the event, and we do not know.
      if (life % 2 === 0) answers(200)(socket, request);
      child.kill("SIGKILL");
    };
    const good = Array<Behavior>(7 * life).fill(answers(200));
    sink.behavesInTurn(good[0] ?? answers(200), ...good.slice(1), kill, answers(200));
    expect(await child.exited).not.toBe(0);
  }

  sink.behaves(answers(200));
  const survivor = start(0);
  const committed = () =>
    Promise.all(printed.slice(0, lives)).then((texts) => texts.join("").match(/rev_\w+/g) ?? []);
  const ids = await committed();
  expect(ids.length).toBeGreaterThan(lives * 7);
  const delivered = () => new Set(sink.received().map(({ body }) => JSON.parse(body).data.review_id));
  while (ids.some((id) => !delivered().has(id))) await Bun.sleep(20);
  survivor.kill("SIGKILL");
  await survivor.exited;

  for (const webhook of sink.received()) verify(webhook, secret);
  expect(sink.received().length - delivered().size).toBeLessThanOrEqual((lives + 1) * underWay);
  await sink.close();
  await rm(dataDir, { recursive: true });
}, 60_000);
