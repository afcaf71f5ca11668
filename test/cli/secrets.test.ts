/**
 * Plants a secret wherever one can be given, uses it, and then looks for all of them wherever they could have gone: results,
 * messages, the log at its most talkative, answers of the API, and the database.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { hasPostgres } from "../support/databases.ts";
import { startWebhookSink, type WebhookSink } from "../support/webhook-sink.ts";
import { install, type Outcome, type Plumbline } from "./plumbline.ts";

setDefaultTimeout(60_000);

const planted = {
  adminPassword: "planted admin password 1",
  hostToken: "planted-host-token-2",
  endpointSecret: "planted-endpoint-secret-3",
  rotatedSecret: "planted-rotated-secret-4",
};

describe.each(hasPostgres() ? (["sqlite", "postgres"] as const) : (["sqlite"] as const))("on %s", (on) => {
  let plumbline: Plumbline;
  let sink: WebhookSink;
  const said: string[] = [];
  const answers: string[] = [];
  let made: { key: string; secret: string };

  beforeAll(async () => {
    plumbline = await install({ on });
    sink = await startWebhookSink();
    const server = await plumbline.serve("--log-level", "debug");
    const told = async (stdin: string, ...command: string[]): Promise<Outcome> => {
      const outcome = await plumbline.runWith(stdin, ...command, "--log-level", "debug");
      expect({ command, ...outcome }).toMatchObject({ code: 0 });
      said.push(outcome.stderr);
      return outcome;
    };
    const owner = ["--admin-email", "ada@acme.example", "--admin-password-file", "-"];
    said.push((await told(planted.adminPassword, "setup", "--org", "acme", ...owner)).stdout);
    const key = (await told("", "keys", "create", "--name", "ci", "--role", "admin")).stdout.trim();
    // Nobody listens there: what the server says of it is one more place where a token could show up.
    const template = "http://127.0.0.1:1/{repository}.git";
    const host = ["hosts", "add", "git", "--name", "corp", "--url", template, "--token-file", "-"];
    said.push((await told(planted.hostToken, ...host)).stdout);
    said.push((await told("", "repos", "enable", "acme/shop")).stdout);
    said.push((await told("", "review", "acme/shop#7")).stdout);
    while (!/"message":"(job failed|review failed)/.test(server.stderr())) await Bun.sleep(20);
    const secret = (await told("", "endpoint", "set", "--url", sink.url)).stdout.trim();
    const set = ["endpoint", "set", "--url", sink.url, "--secret-file", "-"];
    said.push((await told(planted.endpointSecret, ...set)).stdout);
    said.push(
      (await told(planted.rotatedSecret, "endpoint", "rotate", "--secret-file", "-", "--json")).stdout,
    );
    said.push((await told("", "endpoint", "test", "--json")).stdout);
    for (const list of [
      "keys list",
      "hosts list",
      "repos list",
      "endpoint show",
      "endpoint deliveries list",
    ]) {
      said.push((await told("", ...list.split(" "), "--json")).stdout);
    }
    // Refusals, too, do not repeat what was refused.
    said.push(JSON.stringify(await plumbline.runWith(planted.hostToken, ...host)));
    said.push(
      JSON.stringify(await plumbline.runWith(planted.adminPassword, "setup", "--org", "acme", ...owner)),
    );
    const headers = { authorization: `Bearer ${key}` };
    for (const path of [
      "keys",
      "hosts",
      "repositories",
      "endpoint",
      "endpoint/deliveries",
      "status",
      "nope",
    ]) {
      answers.push(await (await fetch(`${server.address}/api/${path}`, { headers })).text());
    }
    server.signal("SIGTERM");
    await server.exited;
    said.push(server.stdout(), server.stderr());
    made = { key, secret };
  });

  afterAll(async () => {
    await sink.close();
    await plumbline[Symbol.asyncDispose]();
  });

  test("the planted secrets work: the receiver got what was signed with them", () => {
    expect(sink.received()).toHaveLength(1);
    expect(made.key).toMatch(/^plk_/);
    expect(made.secret).toMatch(/^whsec_/);
  });

  test("no secret is in a result, a message or the log", () => {
    const text = said.join("\n");
    expect(text.length).toBeGreaterThan(1_000);
    expect(text).toContain('"message":"code host added"');
    expect(text).toContain("127.0.0.1:1");
    expect(foundIn(text)).toEqual([]);
  });

  test("no secret is in an answer of the API", () => {
    const text = answers.join("\n");
    expect(text).toContain('"has_token":true');
    expect(foundIn(text)).toEqual([]);
  });

  test("no secret is in the database", async () => {
    const dump = await dumped(plumbline);
    expect(dump).toContain("ada@acme.example");
    expect(dump).toContain("v1.");
    expect(foundIn(dump)).toEqual([]);
  });

  test("no secret is in any file of the data folder", async () => {
    const files = [...new Bun.Glob("**").scanSync({ cwd: plumbline.dataDir, dot: true })];
    const texts = files.map((file) => readFileSync(join(plumbline.dataDir, file), "latin1"));
    expect(foundIn(texts.join("\n"))).toEqual([]);
  });

  function foundIn(text: string): string[] {
    const key = readFileSync(plumbline.keyFile, "utf8").trim();
    const secrets = { ...planted, ...made, key: made.key.slice(0, -4), secretKey: key };
    return Object.entries(secrets).flatMap(([name, secret]) => (text.includes(secret) ? [name] : []));
  }
});

async function dumped({ dataDir, databaseUrl }: Plumbline): Promise<string> {
  if (databaseUrl === null)
    return new Database(join(dataDir, "plumbline.db"), { readonly: true }).serialize().toString("latin1");
  await using sql = new SQL(databaseUrl);
  const tables = await sql`select table_name from information_schema.tables where table_schema = 'public'`;
  const rows = [];
  for (const { table_name } of tables) rows.push(...(await sql`select * from ${sql(table_name)}`));
  return JSON.stringify(rows);
}
