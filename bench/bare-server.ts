/**
 * The baselines: Bun.serve with nothing around it. `hello` answers a constant; `bytes` a body of the length that the
 * product's list has, `elysia` the same by Elysia; `select` runs the list's SELECT on the same database and answers
 * Response.json.
 */
import { Database } from "bun:sqlite";
import { Elysia } from "elysia";

const [, , mode = "hello", database = "", organizationId = "", bytes = "0"] = process.argv;

const server = Bun.serve({ hostname: "127.0.0.1", port: 0, reusePort: false, fetch: answerer() });
console.log(`listens on http://127.0.0.1:${server.port}`);

function answerer(): (request: Request) => Response | Promise<Response> {
  switch (mode) {
    case "bytes":
      return constant("x".repeat(Number(bytes)));
    case "elysia": {
      const answer = constant("x".repeat(Number(bytes)));
      const app = new Elysia().get("/", () => answer());
      return (request) => app.fetch(request);
    }
    case "select":
      return selecting(new Database(database, { readonly: true, strict: true }));
    default:
      return constant("hello");
  }
}

function constant(body: string): () => Response {
  return () => new Response(body, { headers: { "content-type": "application/json" } });
}

interface Row {
  created_at: number;
  completed_at: number | null;
}

function selecting(db: Database): () => Response {
  db.exec("PRAGMA cache_size = -65536; PRAGMA mmap_size = 268435456");
  const page = db.query<Row, [string, number, number]>(
    `SELECT id, repository, pull_request, status, comments_count, created_at, completed_at FROM reviews
     WHERE organization_id = ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
  );
  const totals = db.query<{ total: number }, [string]>(
    `SELECT pending + processing + completed + failed AS total FROM review_totals
     WHERE organization_id = ? AND repository = ''`,
  );
  return () => {
    const data = page.all(organizationId, 20, 0).map((row) => ({
      ...row,
      created_at: new Date(row.created_at).toISOString(),
      completed_at: row.completed_at === null ? null : new Date(row.completed_at).toISOString(),
    }));
    const total = totals.get(organizationId)?.total ?? 0;
    return Response.json({ data, meta: { total, page: 1, per_page: 20 } });
  };
}
