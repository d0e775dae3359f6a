import { ConfigProvider, Layer } from "effect"
import { ProviderHttp } from "../../src/Outbound/UndiciHttpClient.ts"
import { ProviderClient } from "../../src/Providers/ProviderClient.ts"
import { Upstream } from "../../src/Providers/Upstream.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"

export const ClientOnLoopback = ProviderClient.layer.pipe(
  Layer.provideMerge(Upstream.layer),
  Layer.provide(ProviderHttp.layer),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({}))),
  Layer.provideMerge(LoopbackUpstream.originsLayer),
  Layer.provideMerge(LoopbackUpstream.layer)
)
