/** The real process, killed while it works. */
import { describe, expect, test } from "bun:test";
import { aRepository } from "../support/git-repository.ts";
import { type Installation, install, type ServerProcess } from "./installation.ts";

const pullRequests = [1, 2, 3, 4, 5];
const filesOfEach = 5;

async function aShop() {
  const fault = (n: number) => `export function total(a) {\n  eval(a + ${n});\n}\n`;
  const files = (n: number) =>
    Object.fromEntries(Array.from({ length: filesOfEach }, (_, file) => [`src/${file}.ts`, fault(n + file)]));
  const builder = pullRequests.reduce(
    (made, number) => made.pullRequest(number, files(number)),
    aRepository().commit({ "src/0.ts": "export {};\n" }),
  );
  return builder.create("acme/shop");
}

interface ReviewList {
  data: { id: string; status: string; comments_count: number }[];
  meta: { total: number };
}

const listReviews = async (server: ServerProcess) =>
  (await server.get("/v1/reviews?limit=100")) as ReviewList;

/** Asks for a review of each pull request; answers the ids of those that were accepted. */
async function askForAll(server: ServerProcess): Promise<string[]> {
  const answers = await Promise.allSettled(
    pullRequests.map((pull_request) => server.post("/v1/reviews", { repository: "acme/shop", pull_request })),
  );
  return answers.flatMap((answer) =>
    answer.status === "fulfilled" && answer.value.status === 202
      ? [(answer.value.body as { id: string }).id]
      : [],
  );
}

async function untilAllHaveEnded(server: ServerProcess): Promise<ReviewList> {
  for (;;) {
    const list = await listReviews(server);
    if (list.data.every(({ status }) => status === "completed" || status === "failed")) return list;
    await Bun.sleep(50);
  }
}

async function enableShop(installation: Installation, urlTemplate: string): Promise<void> {
  await installation.run("hosts", "add", "git", "--name", "local", "--url", urlTemplate);
  await installation.run("repos", "enable", "acme/shop", "--host", "local");
}

describe("a process that is killed", () => {
  test("loses no review that it acknowledged, and charges each once", async () => {
    await using shop = await aShop();
    await using installation = await install();
    await enableShop(installation, shop.urlTemplate);
    const acknowledged: string[] = [];
    for (const afterMs of [0, 40, 120, 300]) {
      const server = await installation.serve();
      acknowledged.push(...(await askForAll(server)));
      await Bun.sleep(afterMs);
      await server.kill("SIGKILL");
    }
    const server = await installation.serve();
    const { data, meta } = await untilAllHaveEnded(server);

    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
    expect(data.filter(({ status }) => status !== "completed")).toEqual([]);
    expect(new Set(data.map(({ comments_count }) => comments_count))).toEqual(new Set([filesOfEach]));
    const { credits } = (await server.get("/v1/usage")) as { credits: { total: number; remaining: number } };
    expect(credits.total - credits.remaining).toBe(meta.total);
    expect(await server.kill("SIGTERM")).toBe(0);
  }, 60_000);

  test("that is asked to stop finishes what runs, and leaves the rest to the next", async () => {
    await using shop = await aShop();
    await using installation = await install();
    await enableShop(installation, shop.urlTemplate);
    const first = await installation.serve();
    const acknowledged = await askForAll(first);
    expect(await first.kill("SIGTERM")).toBe(0);

    const second = await installation.serve();
    const { data } = await untilAllHaveEnded(second);
    expect(data.map(({ id, status }) => `${id} ${status}`).sort()).toEqual(
      acknowledged.map((id) => `${id} completed`).sort(),
    );
  }, 60_000);
});
