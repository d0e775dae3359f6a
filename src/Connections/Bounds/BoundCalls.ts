import { Context, Effect, Layer, Predicate } from "effect"
import { InvalidInput, ResourceNotFound } from "../../Api/Errors.ts"
import type { Bound, Bounds } from "../../Domain/Access/Bounds.ts"
import {
  createdWord,
  isInsideSite,
  maxResourceLength,
  type Resource,
  resourceOf
} from "../../Domain/Access/Resource.ts"
import { parseNumbers } from "../../Domain/Json/ExactNumber.ts"
import { JsonText } from "../../Domain/Json/JsonText.ts"
import type { Provider, RawInput } from "../../Providers/Provider.ts"
import type { ProviderRequest, SendRequest } from "../../Providers/ProviderClient.ts"
import { type ListedResources, type Subject, subjectOf } from "../../Providers/Resources.ts"
import { CreatedFiles } from "./CreatedFiles.ts"

export class BoundCalls extends Context.Service<BoundCalls, {
  /** Fails for a call about something outside of any of the bounds, with the same error whether it exists or not. */
  readonly check: (
    bounds: Bounds,
    provider: Provider,
    subject: Subject
  ) => Effect.Effect<void, ResourceNotFound | InvalidInput>
  /** Fails if the file in the response of an earlier call is outside, because it was created under another bound. */
  readonly checkCreated: (
    bounds: Bounds,
    provider: Provider,
    field: string,
    response: unknown
  ) => Effect.Effect<void, ResourceNotFound>
  /** The resources that every bound allows. */
  readonly inside: (
    bounds: Bounds,
    provider: Provider,
    resources: ReadonlyArray<Resource>
  ) => Effect.Effect<ReadonlySet<Resource>>
  /** Refuses requests about something outside, filters lists, and remembers files that are created. */
  readonly limit: (bounds: Bounds, send: SendRequest) => SendRequest
}>()("openaccounts/Connections/Bounds/BoundCalls") {
  static readonly layerNoDeps = Layer.effect(
    BoundCalls,
    Effect.gen(function*() {
      const createdFiles = yield* CreatedFiles

      const insideOf = Effect.fnUntraced(function* insideOf(
        bounds: Bounds,
        provider: Provider,
        resources: ReadonlyArray<Resource>
      ) {
        let inside: ReadonlySet<Resource> = new Set(resources)
        for (const bound of bounds) {
          const others = [...inside].filter((resource) => !bound.resources.has(resource))
          const files = others.length > 0 && allowsCreated(bound, provider)
            ? yield* createdFiles.among(bound.holder, others)
            : noResources
          inside = new Set([...inside].filter((resource) => bound.resources.has(resource) || files.has(resource)))
        }
        return inside
      })

      const firstOutside = (
        bounds: Bounds,
        provider: Provider,
        { creates, isDeclared, names, urls }: Subject
      ): Effect.Effect<Resource | undefined> => {
        if (!isDeclared) return Effect.succeed(provider.id)
        if (creates !== undefined && !bounds.every((bound) => allowsCreated(bound, provider))) {
          return Effect.succeed(createdBy(provider))
        }
        const read = names.map((name) => {
          const canonical = nameIn(provider, name)
          return {
            resource: resourceOf(provider.id, canonical ?? name.slice(0, maxResourceLength)),
            isReadable: canonical !== undefined
          }
        })
        const outsideOf = (isInside: (resource: Resource) => boolean) => {
          const outside = read.find(({ isReadable, resource }) => !isReadable || !isInside(resource))
          if (outside !== undefined) return outside.resource
          const site = names[0] === undefined ? undefined : nameIn(provider, names[0])
          const url = urls.find((url) => site === undefined || !isInsideSite(site, url))
          return url === undefined ? undefined : resourceOf(provider.id, url.slice(0, maxResourceLength))
        }
        const isListed = (resource: Resource) => bounds.every(({ resources }) => resources.has(resource))
        const readable = read.filter(({ isReadable }) => isReadable).map(({ resource }) => resource)
        return readable.every(isListed)
          ? Effect.succeed(outsideOf(isListed))
          : Effect.map(insideOf(bounds, provider, readable), (inside) => outsideOf((resource) => inside.has(resource)))
      }

      const check = (
        bounds: Bounds,
        provider: Provider,
        subject: Subject
      ): Effect.Effect<void, ResourceNotFound | InvalidInput> =>
        Effect.flatMapEager(firstOutside(bounds, provider, subject), (outside): ReturnType<typeof check> => {
          if (outside !== undefined) return notFound(outside)
          const issues = subject.refuses()
          return issues.length > 0 ? Effect.fail(InvalidInput.ofCall(issues)) : Effect.void
        })

      const filter = Effect.fnUntraced(function* filter(
        bounds: Bounds,
        provider: Provider,
        { lists }: ListedResources,
        body: JsonText
      ) {
        const json = parseNumbers(body.text)
        const resources = new Map<string, Resource>()
        lists(json, (name) => {
          const canonical = nameIn(provider, name)
          if (canonical !== undefined) resources.set(name, resourceOf(provider.id, canonical))
          return false
        })
        const inside = yield* insideOf(bounds, provider, [...resources.values()])
        const isInside = (name: string) => {
          const resource = resources.get(name)
          return resource !== undefined && inside.has(resource)
        }
        return JsonText.stringify(lists(json, isInside))
      })

      const checkCreated = Effect.fnUntraced(function* checkCreated(
        bounds: Bounds,
        provider: Provider,
        field: string,
        response: unknown
      ) {
        const file = fileIn(provider, field, response)
        const inside = yield* insideOf(bounds, provider, file === undefined ? [] : [file])
        if (inside.size === 0) return yield* notFound(createdBy(provider))
      })

      const create = Effect.fnUntraced(function* create(
        bounds: Bounds,
        send: SendRequest,
        request: ProviderRequest,
        field: string
      ) {
        const { provider } = request
        const body = yield* send(withField(request, field))
        const file = fileIn(provider, field, body.value)
        // The provider has created the file, so the response is sent in any case.
        yield* file === undefined
          ? Effect.logError(`${provider.name} created a file without a readable id`)
          : Effect.catchCause(
            createdFiles.add(bounds.map(({ holder }) => holder), file),
            (cause) => Effect.logError(`The new file ${file} could not be added to the bounds that allow it`, cause)
          )
        return body
      })

      const limit = (bounds: Bounds, send: SendRequest): SendRequest => (request) => {
        const { endpoint: { resources }, input, provider } = request
        const subject = subjectOf(resources, input)
        const permitted = Effect.catchTag(
          check(bounds, provider, subject),
          "InvalidInput",
          () => notFound(resourceOf(provider.id, subject.names[0] ?? createdWord))
        )
        return Effect.flatMap(permitted, () => {
          if (typeof resources !== "object" || "names" in resources) return send(request)
          return "lists" in resources
            ? Effect.flatMap(send(request), (body) => filter(bounds, provider, resources, body))
            : create(bounds, send, request, resources.creates)
        })
      }

      return BoundCalls.of({ check, checkCreated, inside: insideOf, limit })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(CreatedFiles.layer))
}

const noResources: ReadonlySet<Resource> = new Set()

/** `undefined` for the word `created`, which bounds use for files that calls have created. */
const nameIn = (provider: Provider, text: string): string | undefined => {
  const name = provider.resourceName(text)
  return name === createdWord ? undefined : name
}

/** The new file that the response of a provider names in `field`. */
const fileIn = (provider: Provider, field: string, response: unknown): Resource | undefined => {
  const id = Predicate.hasProperty(response, field) ? response[field] : undefined
  const name = typeof id === "string" ? nameIn(provider, id) : undefined
  return name === undefined ? undefined : resourceOf(provider.id, name)
}

const createdBy = (provider: Provider): Resource => resourceOf(provider.id, createdWord)

const allowsCreated = ({ resources }: Bound, provider: Provider): boolean => resources.has(createdBy(provider))

const notFound = (resource: Resource) => Effect.fail(new ResourceNotFound({ details: { resource } }))

/** The response must have the id of a new file, also where a field mask leaves it out. */
const withField = (request: ProviderRequest, field: string): ProviderRequest => {
  const { query = {} }: RawInput = request.input
  return typeof query["fields"] === "string"
    ? { ...request, input: { ...request.input, query: { ...query, fields: `${field},${query["fields"]}` } } }
    : request
}
