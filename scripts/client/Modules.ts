import type { Provider } from "../../src/Providers/Provider.ts"
import { providers } from "../../src/Server.ts"
import { formatted, type GeneratedFile } from "../Formatted.ts"
import { pascalCase } from "./Names.ts"
import { operationsSource } from "./OperationsSource.ts"
import { documents, responsesSource } from "./ResponsesSource.ts"

const fileOf = (folder: string, { id }: Provider, source: string): GeneratedFile =>
  formatted(`src/Client/${folder}/${pascalCase([id])}.ts`, source)

export const operationFiles = (): ReadonlyArray<GeneratedFile> =>
  providers.map((provider) => fileOf("Generated", provider, operationsSource(provider)))

export const responseFiles = (folder: string): ReadonlyArray<GeneratedFile> =>
  providers.filter(({ id }) => id in documents).map((provider) =>
    fileOf("Responses", provider, responsesSource(folder, provider))
  )
