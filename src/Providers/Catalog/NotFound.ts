import { EndpointNotFound, ProviderNotFound, ToolNotFound } from "../../Api/Errors.ts"
import { maxNamed, nameNearest } from "../../Domain/Text/Nearest.ts"
import type { Provider } from "../Provider.ts"

const maxQuoted = 100

export const providerNotFound = (providers: ReadonlyArray<Provider>, id: string): ProviderNotFound => {
  const ids = providers.map(({ id }) => id)
  return new ProviderNotFound({ message: `There is no provider ${quote(id)}. ${suggest("providers", id, ids)}` })
}

export const endpointNotFound = (providers: ReadonlyArray<Provider>, provider: Provider, id: string) => {
  const hint = provider.tools.some(({ name }) => name === id)
    ? `${quote(id)} is a smart tool: pass it as \`tool\`. Agents call it by its name.`
    : ownerOf(providers, (other) => other.endpoints.some((endpoint) => endpoint.id === id)) ??
      suggest("raw endpoints", id, provider.endpoints.map(({ id }) => id))
  return new EndpointNotFound({ message: `Provider "${provider.id}" has no raw endpoint ${quote(id)}. ${hint}` })
}

export const toolNotFound = (providers: ReadonlyArray<Provider>, provider: Provider, name: string) => {
  const hint = provider.endpoints.some(({ id }) => id === name)
    ? `${quote(name)} is a raw endpoint: pass it as \`endpoint\`.`
    : ownerOf(providers, ({ tools }) => tools.some((tool) => tool.name === name)) ??
      suggest("smart tools", name, provider.tools.map(({ name }) => name))
  return new ToolNotFound({ message: `Provider "${provider.id}" has no smart tool ${quote(name)}. ${hint}` })
}

const ownerOf = (providers: ReadonlyArray<Provider>, hasIt: (provider: Provider) => boolean): string | undefined => {
  const owner = providers.find(hasIt)
  return owner === undefined ? undefined : `Provider "${owner.id}" has it.`
}

const suggest = (kind: string, wanted: string, ids: ReadonlyArray<string>): string =>
  ids.length === 0
    ? `It has no ${kind}.`
    : `The ${ids.length > maxNamed ? "nearest " : ""}${kind} are ${nameNearest(wanted, ids, (id) => id)}.`

const quote = (id: string): string =>
  JSON.stringify(id.length > maxQuoted ? `${id.slice(0, maxQuoted).toWellFormed()}…` : id)
