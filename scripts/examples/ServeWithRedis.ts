// The service with its cache on Redis:
// REDIS_URL=redis://127.0.0.1:6379 node_modules/.bin/node scripts/examples/ServeWithRedis.ts

import * as NodeRedis from "@effect/platform-node/NodeRedis"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Config, Layer } from "effect"
import { configuredOrigins, makeServer } from "../../src/index.ts"
import { RedisCache } from "./RedisCache.ts"

const redis = NodeRedis.layerConfig({
  url: Config.String("REDIS_URL").pipe(Config.withDefault("redis://127.0.0.1:6379"))
})

NodeRuntime.runMain(Layer.launch(
  makeServer({ origins: configuredOrigins(), services: { Cache: Layer.provide(RedisCache, redis) } })
))
