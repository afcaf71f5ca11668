/** Imported `with { type: "file" }`: the file's path, inside the executable where there is one. */
declare module "*.wasm" {
  const path: string;
  export = path;
}

/** The part of @ast-grep/wasm that its own entry point wraps; see ast-grep.ts for why it is used directly. */
declare module "@ast-grep/wasm/wasm_bg.js" {
  export * from "@ast-grep/wasm";
  export function __wbg_set_wasm(exports: WebAssembly.Exports): void;
}
