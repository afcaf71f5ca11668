/** Whether a line is new, or was only moved or indented anew. */
import type { SourceFile } from "../source-file.ts";

export function stoodBefore({ baseText }: SourceFile, line: string): boolean {
  return baseText?.includes(line.trim()) === true;
}
