/** The API reference: Swagger UI from embedded files, and the OpenAPI document it shows. Nothing comes from outside. */
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import stylesFile from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import bundleFile from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import licenseFile from "swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt" with { type: "file" };
import { AppError } from "../../domain/errors.ts";
import { createEmbeddedFile, type EmbeddedFile } from "../embedded-file.ts";
import { documented } from "../openapi/documented.ts";

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Plumbline API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/swagger/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/swagger/swagger-ui-bundle.js"></script>
<script src="/swagger/start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({
  url: "/swagger/json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
});
`;

/** Swagger UI sets style attributes and shows its icons from data addresses. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const AssetPath = Type.Object({ asset: Type.String() });

export function referenceRoutes(o: { document: () => Promise<string> }) {
  const assets: Readonly<Record<string, EmbeddedFile>> = {
    "swagger-ui.css": createEmbeddedFile(stylesFile, "text/css; charset=utf-8"),
    "swagger-ui-bundle.js": createEmbeddedFile(bundleFile, "text/javascript; charset=utf-8"),
    "swagger-ui-bundle.js.LICENSE.txt": createEmbeddedFile(licenseFile, "text/plain; charset=utf-8"),
  };
  return new Elysia()
    .get("/swagger", async () => text(page, "text/html; charset=utf-8"), {
      detail: documented({
        operationId: "showReference",
        tag: "Service",
        summary: "The API reference, as a page",
        contentType: "text/html",
      }),
    })
    .get("/swagger/json", async () => text(await o.document(), "application/json; charset=utf-8"), {
      detail: documented({
        operationId: "getOpenApiDocument",
        tag: "Service",
        summary: "The API reference, as an OpenAPI document",
        contentType: "application/json",
      }),
    })
    .get("/swagger/start.js", async () => text(start, "text/javascript; charset=utf-8"), {
      detail: { hide: true },
    })
    .get(
      "/swagger/:asset",
      async ({ request, params }) => {
        const asset = Object.hasOwn(assets, params.asset) ? assets[params.asset] : undefined;
        if (asset === undefined) throw new AppError("not_found", "There is nothing at this address.");
        return asset.answer(request);
      },
      { params: AssetPath, detail: { hide: true } },
    );
}

function text(content: string, contentType: string): Response {
  return new Response(content, {
    headers: { "content-type": contentType, "content-security-policy": policy, "cache-control": "no-cache" },
  });
}
