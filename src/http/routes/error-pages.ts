/** What a problem document's `type` points to: a page that explains the error's code. */
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { AppError, type ErrorKind, errorKinds } from "../../domain/errors.ts";
import { errorCatalogue } from "../error-catalogue.ts";
import { escapeHtml, htmlPage } from "../html-page.ts";
import { documented } from "../openapi/documented.ts";

const ErrorPath = Type.Object({ code: Type.String({ description: "An error's `code`." }) });

export function errorPages() {
  return new Elysia()
    .get("/errors", async () => htmlPage("Errors", listOfErrors()), {
      detail: documented({
        operationId: "listErrors",
        tag: "Service",
        summary: "All error codes, as a page",
        contentType: "text/html",
      }),
    })
    .get(
      "/errors/:code",
      async ({ params }) => {
        if (!isErrorKind(params.code)) throw new AppError("not_found", "There is no error with this code.");
        return htmlPage(errorCatalogue[params.code].title, explanation(params.code));
      },
      {
        params: ErrorPath,
        detail: documented({
          operationId: "explainError",
          tag: "Service",
          summary: "What an error code means, as a page",
          errors: ["not_found"],
          contentType: "text/html",
        }),
      },
    );
}

function isErrorKind(text: string): text is ErrorKind {
  return Object.hasOwn(errorKinds, text);
}

function explanation(kind: ErrorKind): string {
  const { title, meaning, remedy } = errorCatalogue[kind];
  return `<h1>${asHtml(title)}</h1>
<dl>
<dt>Code</dt><dd><code>${kind}</code></dd>
<dt>HTTP status</dt><dd>${errorKinds[kind]}</dd>
<dt>What it means</dt><dd>${asHtml(meaning)}</dd>
<dt>What to do</dt><dd>${asHtml(remedy)}</dd>
</dl>
<p><a href="/errors">All errors</a></p>`;
}

function listOfErrors(): string {
  const items = (Object.keys(errorKinds) as ErrorKind[]).map(
    (kind) =>
      `<dt><a href="/errors/${kind}"><code>${kind}</code></a> (${errorKinds[kind]})</dt><dd>${asHtml(errorCatalogue[kind].title)}</dd>`,
  );
  return `<h1>Errors</h1>\n<dl>\n${items.join("\n")}\n</dl>`;
}

function asHtml(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}
