import { Config, Effect, Option, type Redacted, Schema } from "effect"

export interface BucketSettings {
  readonly bucket: string
  /** Without slashes at its ends; empty for the whole bucket. */
  readonly prefix: string
  /** Without a slash at its end. */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted
}

/** Names of buckets: https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html. */
const BucketUrl = Schema.String.check(
  Schema.isPattern(/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[A-Za-z0-9_=-][A-Za-z0-9._=-]*)*\/?$/u, {
    message: "Expected a URL like s3://bucket/prefix, whose prefix has letters, digits and ._=-"
  })
)

const Endpoint = Schema.String.check(
  Schema.isPattern(/^https?:\/\/[^\s/?#@]+\/?$/u, { message: "Expected an http(s) URL without a path" })
)

const Region = Schema.String.check(
  Schema.isPattern(/^[a-z0-9-]+$/u, { message: "Expected the name of a region, such as eu-central-1" })
)

export const bucketSecrets = ["AWS_SECRET_ACCESS_KEY"]

const secretAccessKey = Config.Redacted("AWS_SECRET_ACCESS_KEY")

/** None without `DATASETS_URL`. The secret is read nevertheless, so that one that is set twice stops the start. */
export const bucketSettings = Effect.gen(function*() {
  const url = yield* Config.option(Config.schema(BucketUrl, "DATASETS_URL"))
  yield* Config.option(secretAccessKey)
  if (Option.isNone(url)) return Option.none()
  const [bucket = "", ...folders] = url.value.slice("s3://".length).split("/")
  const region = yield* Config.schema(Region, "AWS_REGION").pipe(Config.withDefault("us-east-1"))
  const endpoint = yield* Config.schema(Endpoint, "AWS_ENDPOINT_URL").pipe(
    Config.withDefault(`https://s3.${region}.amazonaws.com`)
  )
  return Option.some<BucketSettings>({
    bucket,
    prefix: folders.filter((folder) => folder !== "").join("/"),
    endpoint: endpoint.replace(/\/$/, ""),
    region,
    accessKeyId: yield* Config.NonEmptyString("AWS_ACCESS_KEY_ID"),
    secretAccessKey: yield* secretAccessKey
  })
})
