import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Listener } from "./Listener.ts"

export const group = <const Name extends string>(
  name: Name,
  { listener, title }: { readonly title: string; readonly listener: Listener }
) => HttpApiGroup.make(name).annotate(Listener, listener).annotateMerge(OpenApi.annotations({ title }))
