import { Predicate } from "effect"
import { maxResourceLength, type Resource, type ResourceName, resourceOf } from "../Domain/Access/Resource.ts"
import type { Issue } from "../Domain/Validation/Issue.ts"

/** Which resources a request is about. A bound refuses an operation that does not declare it. */
export type Resources<Input> = "none" | NamedResources<Input> | ListedResources | CreatedFile<Input>

export interface NamedResources<Input> extends Refusals<Input> {
  /** The names of resources in the input, the most specific first. */
  names(input: Input): string | ReadonlyArray<string>
  /** URLs that must lie inside the named site. */
  urls?(input: Input): ReadonlyArray<string>
  /** URLs that the provider would certainly refuse for the named site. Without a bound, they are `invalid_input`. */
  misplaced?(input: Input): ReadonlyArray<Issue>
}

export interface ListedResources {
  /** The list of a response without the resources that are outside. `body` is parsed JSON. */
  lists(body: unknown, isInside: (name: string) => boolean): unknown
}

export interface CreatedFile<Input> extends Refusals<Input> {
  /** The field of the response that has the id of the new file, and which a field mask can leave out. */
  readonly creates: string
}

/**
 * For a response with a list of objects in `field`, each with the name of a resource in `name`. An entry whose name
 * cannot be read, as after a field mask, is outside.
 */
export const entriesIn = (field: string, name: string): ListedResources => ({
  lists: (body, isInside) => {
    if (!Predicate.hasProperty(body, field) || body[field] === null) return body
    const entries: unknown = body[field]
    const inside = Array.isArray(entries)
      ? entries.filter((entry: unknown) =>
        Predicate.hasProperty(entry, name) && Predicate.isString(entry[name]) && isInside(entry[name])
      )
      : []
    return { ...body, [field]: inside }
  }
})

interface Refusals<Input> {
  /** What is `invalid_input` under a bound, because it reaches other resources. Paths start at the request body. */
  refuses?(input: Input): ReadonlyArray<Issue>
}

/** A tool is bounded by the requests that it makes, too. */
export type ToolResources<Input> =
  | "none"
  /** The tool lists resources, or names none before it has read a list. */
  | "lists"
  | CreatedFile<Input>
  | NamedByTool<Input>

export interface NamedByTool<Input> extends Refusals<Input> {
  /** `undefined` where the tool looks up the name in a list. */
  names(input: Input): string | ReadonlyArray<string> | undefined
}

export interface Subject {
  /** The names of resources as the input spells them. */
  readonly names: ReadonlyArray<string>
  readonly urls: ReadonlyArray<string>
  /** The field of the response that has the id of the new file. */
  readonly creates: string | undefined
  readonly isDeclared: boolean
  readonly refuses: () => ReadonlyArray<Issue>
}

const nothing: Subject = { names: [], urls: [], creates: undefined, isDeclared: true, refuses: () => [] }

/** `resources` is `undefined` for a row of a program without types. */
export const subjectOf = <Input>(
  resources: Resources<Input> | ToolResources<Input> | undefined,
  input: Input
): Subject => {
  if (resources === undefined) return { ...nothing, isDeclared: false }
  if (typeof resources === "string" || "lists" in resources) return nothing
  const refuses = () => resources.refuses?.(input) ?? []
  if ("creates" in resources) return { ...nothing, creates: resources.creates, refuses }
  const urls = "urls" in resources ? resources.urls?.(input) ?? [] : []
  return { ...nothing, names: listOf(resources.names(input)), urls, refuses }
}

interface NamedProvider {
  readonly id: string
  readonly resourceName: ResourceName
}

/** The first resource that the input names, for the log. */
export const firstResource = <Input>(
  provider: NamedProvider,
  resources: Resources<Input> | ToolResources<Input> | undefined,
  input: Input
): Resource | null => {
  const name = firstName(provider, resources, input)
  return name === undefined ? null : resourceOf(provider.id, name)
}

export const firstName = <Input>(
  provider: NamedProvider,
  resources: Resources<Input> | ToolResources<Input> | undefined,
  input: Input
): string | undefined => {
  if (typeof resources !== "object" || !("names" in resources)) return undefined
  const [first] = listOf(resources.names(input))
  return first === undefined ? undefined : provider.resourceName(first)
}

/** The first resource that a request names. A name that cannot be read stays as it is. */
export const namedResource = <Input>(
  provider: NamedProvider,
  { resources }: { readonly resources: Resources<Input> },
  input: Input
): Resource | undefined => {
  const [name] = subjectOf(resources, input).names
  return name === undefined
    ? undefined
    : resourceOf(provider.id, provider.resourceName(name) ?? name.slice(0, maxResourceLength))
}

export const misplacedUrls = <Input>(
  resources: Resources<Input> | ToolResources<Input> | undefined,
  input: Input
): ReadonlyArray<Issue> =>
  typeof resources === "object" && "misplaced" in resources ? resources.misplaced?.(input) ?? [] : []

const listOf = (names: string | ReadonlyArray<string> | undefined): ReadonlyArray<string> =>
  typeof names === "string" ? [names] : names ?? []
