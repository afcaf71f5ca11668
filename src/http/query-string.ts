/** What the router does not see of a query: it keeps the last of several values and passes undecodable ones on. */
import { AppError, type FieldError } from "../domain/errors.ts";

/** `query` with its question mark. Errors: AppError `validation_failed` for a parameter that is given twice. */
export function refuseRepeatedParameters(query: string): void {
  if (!query.includes("&")) return;
  const names = [...new URLSearchParams(query).keys()];
  const repeated = new Set(names.filter((name, at) => names.indexOf(name) < at));
  if (repeated.size === 0) return;
  const fields: FieldError[] = [...repeated].slice(0, 20).map((path) => ({
    path: path.slice(0, 200),
    code: "repeated",
    message: "must be given once",
  }));
  throw new AppError("validation_failed", "A parameter is given more than once.", { fields });
}
