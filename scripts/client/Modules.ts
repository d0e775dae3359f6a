import { execFileSync } from "node:child_process"
import type { Provider } from "../../src/Providers/Provider.ts"
import { providers } from "../../src/Server.ts"
import { pascalCase } from "./Names.ts"
import { operationsSource } from "./OperationsSource.ts"
import { documents, responsesSource } from "./ResponsesSource.ts"

export interface GeneratedFile {
  readonly path: string
  readonly source: string
}

const fileOf = (folder: string, { id }: Provider, source: string): GeneratedFile => {
  const path = `src/Client/${folder}/${pascalCase([id])}.ts`
  return { path, source: execFileSync("dprint", ["fmt", "--stdin", path], { input: source, encoding: "utf8" }) }
}

export const operationFiles = (): ReadonlyArray<GeneratedFile> =>
  providers.map((provider) => fileOf("Generated", provider, operationsSource(provider)))

export const responseFiles = (folder: string): ReadonlyArray<GeneratedFile> =>
  providers.filter(({ id }) => id in documents).map((provider) =>
    fileOf("Responses", provider, responsesSource(folder, provider))
  )
