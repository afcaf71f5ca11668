/** Files that the executable embeds; importing one `with { type: "file" }` gives its path. */
declare module "swagger-ui-dist/*" {
  const path: string;
  // biome-ignore lint/style/noDefaultExport: an embedded file has no other export.
  export default path;
}
