import type { Kysely } from "kysely";
import type { Organization } from "../domain/organization.ts";
import type { OrganizationStore } from "../domain/store.ts";
import { withoutUndefined } from "./columns.ts";
import type { OrganizationRow, Tables } from "./tables.ts";

export class SqlOrganizations implements OrganizationStore {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async insert(organization: Organization): Promise<void> {
    await this.#db
      .insertInto("organizations")
      .values({
        id: organization.id,
        slug: organization.slug,
        name: organization.name,
        plan: organization.plan,
        credits_per_month: organization.creditsPerMonth,
        requests_per_hour: organization.requestsPerHour,
        created_at: organization.createdAt.getTime(),
      })
      .execute();
  }

  async get(id: string): Promise<Organization | null> {
    return this.#find("id", id);
  }

  async bySlug(slug: string): Promise<Organization | null> {
    return this.#find("slug", slug);
  }

  async list(): Promise<readonly Organization[]> {
    const rows = await this.#db
      .selectFrom("organizations")
      .selectAll()
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    return rows.map(toOrganization);
  }

  async update(
    id: string,
    change: Partial<Pick<Organization, "name" | "plan" | "creditsPerMonth" | "requestsPerHour">>,
  ): Promise<boolean> {
    const columns = withoutUndefined({
      name: change.name,
      plan: change.plan,
      credits_per_month: change.creditsPerMonth,
      requests_per_hour: change.requestsPerHour,
    });
    if (columns === null) return (await this.get(id)) !== null;
    const result = await this.#db
      .updateTable("organizations")
      .set(columns)
      .where("id", "=", id)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  async #find(column: "id" | "slug", value: string): Promise<Organization | null> {
    const row = await this.#db
      .selectFrom("organizations")
      .selectAll()
      .where(column, "=", value)
      .executeTakeFirst();
    return row === undefined ? null : toOrganization(row);
  }
}

function toOrganization(row: OrganizationRow): Organization {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    plan: row.plan,
    creditsPerMonth: row.credits_per_month,
    requestsPerHour: row.requests_per_hour,
    createdAt: new Date(row.created_at),
  };
}
