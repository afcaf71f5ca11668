/** Everything belongs to an organization; people have roles in it, and keys act for it. */

export const memberRoles = ["owner", "admin", "member"] as const;
export type MemberRole = (typeof memberRoles)[number];

export const keyRoles = ["member", "admin"] as const;
export type KeyRole = (typeof keyRoles)[number];

export interface Organization {
  id: string;
  /** Short unique name, `acme`. */
  slug: string;
  name: string;
  plan: string;
  /** Overrides of the plan for this organization; null = the plan's. */
  creditsPerMonth: number | null;
  requestsPerHour: number | null;
  createdAt: Date;
}

/** An API key as stored: its SHA-256, never the key. */
export interface ApiKey {
  id: string;
  organizationId: string;
  name: string;
  role: KeyRole;
  /** Hexadecimal SHA-256 of the whole key. */
  hash: string;
  lastFour: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

/** Who is asking, once authenticated. */
export interface Caller {
  organizationId: string;
  role: MemberRole;
  /** `key_…` or `usr_…`, for the log. */
  actorId: string;
}
