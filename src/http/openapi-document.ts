/** The OpenAPI document of everything the server offers. */
import type { ServedOperation } from "./server-deps.ts";

export interface OpenApiOptions {
  siteUrl: string;
  version: string;
  operations: readonly Omit<ServedOperation, "run">[];
}

/** OpenAPI 3.0.3. */
export async function openApiDocument(_options: OpenApiOptions): Promise<Record<string, unknown>> {
  throw new Error("not built yet");
}
