/**
 * Cuts the patch of many files, as it streams in, into the patches of one file each. In git's output every line of
 * a file's contents starts with a space, `+` or `-`, so that only a header can start with `diff --git `.
 */

/** One file's patch; null when it is longer than allowed (then its bytes were not kept). */
export type PatchSection = Buffer | null;

export interface SectionSplitter {
  /** Answers the sections that this piece of output ends. */
  push(chunk: Uint8Array): PatchSection[];
  /** The last section; none when nothing was pushed. */
  end(): PatchSection[];
}

const boundary = Buffer.from("\ndiff --git ");

export function createSectionSplitter(sectionBytesMax: number): SectionSplitter {
  /** The current section so far, or only its end when it has grown too long. */
  let pending = Buffer.alloc(0);
  let tooLong = false;

  const take = (section: Buffer): PatchSection => {
    const whole = tooLong || section.length > sectionBytesMax ? null : section;
    tooLong = false;
    return whole;
  };

  return {
    push(chunk) {
      const sections: PatchSection[] = [];
      // A boundary may lie across two pieces: search again from just before the new one.
      let searched = Math.max(0, pending.length - boundary.length);
      pending = Buffer.concat([pending, chunk]);
      for (let at = pending.indexOf(boundary, searched); at >= 0; at = pending.indexOf(boundary, searched)) {
        sections.push(take(pending.subarray(0, at + 1)));
        pending = pending.subarray(at + 1);
        searched = 0;
      }
      // Its end may be the start of the next one.
      if (pending.length > sectionBytesMax + boundary.length) {
        tooLong = true;
        pending = pending.subarray(-boundary.length);
      }
      return sections;
    },
    end() {
      return pending.length === 0 ? [] : [take(pending)];
    },
  };
}
