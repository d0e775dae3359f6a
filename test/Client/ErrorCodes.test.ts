import { describe, expectTypeOf, it } from "@effect/vitest"
import type { CallError } from "../../src/Api/Errors.ts"
import type {
  HeadersTooLarge,
  MethodNotAllowed,
  RouteNotFound,
  Unavailable
} from "../../src/Api/Errors/RequestErrors.ts"
import type { Resources } from "../../src/Client/Generated/Resources.ts"
import type { ErrorCode, ErrorDetails } from "../../src/Client/OpenAccountsError.ts"
import type { Api } from "../../src/Features/Contracts.ts"

type Groups = (typeof Api)["groups"]

type Endpoints = { readonly [Group in keyof Resources]: Groups[Group]["endpoints"] }[keyof Resources]

type ErrorsOf<Group> = Group extends unknown ? { readonly [E in keyof Group]: Group[E] }[keyof Group] : never

type OfResources = Extract<ErrorsOf<Endpoints>, { readonly "~Error": unknown }>["~Error"]["Type"]

type Declared = CallError | OfResources | HeadersTooLarge | Unavailable | RouteNotFound | MethodNotAllowed

type CodesOf<Details> = {
  readonly [Code in keyof Details]: [Exclude<Details[Code], undefined>] extends [never] ? never : Code
}[keyof Details]

type DeclaredDetails = { readonly [E in Declared as E["code"]]: E["details"] }

/** Failures that the client finds itself. */
type Own = "unreachable" | "invalid_response"

describe("The client's errors", () => {
  it("have the codes that the service declares", () => {
    expectTypeOf<ErrorCode>().toEqualTypeOf<Declared["code"] | Own>()
  })

  it("have details where the service declares them", () => {
    expectTypeOf<CodesOf<ErrorDetails>>().toEqualTypeOf<CodesOf<DeclaredDetails> | Own>()
  })
})
