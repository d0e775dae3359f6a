import type { Module } from "../Rules.ts"

export const gdocs: Module = {
  document: "docs-v1",
  roots: ["BatchUpdateDocumentRequest"],
  output: "src/Providers/Gdocs/Generated.ts",
  imports: [],
  rules: {
    Request: { union: true },
    BatchUpdateDocumentRequest: { required: ["requests"] }
  }
}
