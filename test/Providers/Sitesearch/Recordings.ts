import { Option, Schema } from "effect"
import { fixture } from "../../support/Fixtures.ts"

const decodeQuoted = Schema.decodeUnknownOption(
  Schema.Struct({ response: Schema.Struct({ status: Schema.Int, body: Schema.Unknown }) })
)
const decodeCassette = Schema.decodeUnknownOption(
  Schema.Struct({
    interactions: Schema.NonEmptyArray(
      Schema.Struct({
        response: Schema.Struct({
          status: Schema.Struct({ code: Schema.Int }),
          body: Schema.Struct({ string: Schema.fromJsonString(Schema.Unknown) })
        })
      })
    )
  })
)

export interface Recording {
  readonly status: number
  readonly body: unknown
}

/** A sample from the documentation is a body without a status. */
export const recording = (name: string): Recording => {
  const recorded = fixture(`bing-webmaster/${name}.json`)
  return Option.getOrElse(
    Option.orElse(
      Option.map(decodeQuoted(recorded), ({ response }): Recording => response),
      () =>
        Option.map(
          decodeCassette(recorded),
          ({ interactions: [{ response }] }): Recording => ({
            status: response.status.code,
            body: response.body.string
          })
        )
    ),
    () => ({ status: 200, body: recorded })
  )
}
