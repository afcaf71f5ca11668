/** Every scanner; a new one is added here. */
import { conflictMarkers } from "./conflict-markers.ts";
import { hiddenCharacters } from "./hidden-characters.ts";
import type { Scanner } from "./scanner.ts";
import { secrets } from "./secrets.ts";

export const scanners: readonly Scanner[] = [secrets, hiddenCharacters, conflictMarkers];
