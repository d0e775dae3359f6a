import { type Cause, Data, Effect, Schema, SchemaTransformation } from "effect"
import { CallId } from "../Domain/Ids.ts"
import { CurrentCallId } from "../Domain/Request/CurrentCallId.ts"
import { ErrorCheck } from "./Errors/ErrorCheck.ts"

export const TypeId = "~openaccounts/Api/ApiError"

export interface Options<Details> {
  readonly message?: string | undefined
  /** The message over MCP, which names tools instead of paths. By default `message`. */
  readonly agentMessage?: string | undefined
  readonly details?: Details | undefined
  readonly retryAfter?: string | undefined
  readonly allow?: ReadonlyArray<string> | undefined
  readonly cause?: unknown
}

/** Selects the message. Code and details are the same. */
export type Reader = "program" | "agent"

export interface ApiErrorBody<Code extends string, Id extends string = CallId> {
  readonly call_id: Id
  readonly error: {
    readonly code: Code
    readonly message: string
    readonly details?: unknown
    readonly check?: ErrorCheck
  }
}

export interface ApiErrorInstance<Tag extends string, Code extends string, Details>
  extends Cause.YieldableError, Omit<Options<Details>, "message" | "cause">
{
  readonly _tag: Tag
  readonly [TypeId]: typeof TypeId
  readonly code: Code
  readonly status: number
  /** Set by the feature that knows what is wrong. */
  check?: ErrorCheck | undefined
  body(callId: CallId, reader?: Reader): ApiErrorBody<Code>
}

/** Includes the errors of features. */
export type AnyApiError = ApiErrorInstance<string, string, unknown>

export interface ApiErrorClass<Tag extends string, Code extends string, Details> {
  new(options?: Options<Details>): ApiErrorInstance<Tag, Code, Details>
  readonly code: Code
  readonly status: number
  readonly schema: Schema.Codec<ApiErrorInstance<Tag, Code, Details>, ApiErrorBody<Code, string>>
}

/** `details` of an error after which the caller can try again later. */
export const RetryLater = Schema.Struct({ retry_after_seconds: Schema.Int })

export const apiError = <
  const Tag extends string,
  const Code extends string,
  Details extends Schema.Codec<unknown> = Schema.Never
>(
  tag: Tag,
  spec: {
    readonly code: Code
    readonly status: number
    readonly when: string
    readonly details?: Details
  }
): ApiErrorClass<Tag, Code, Details["Type"]> => {
  const details: Schema.Codec<unknown> = spec.details ?? Schema.Unknown
  const Body = Schema.Struct({
    call_id: CallId,
    error: Schema.Struct({
      code: Schema.Literal(spec.code),
      message: Schema.String.annotate({ description: "For people; branch on `code`." }),
      details: Schema.optionalKey(details),
      check: Schema.optionalKey(ErrorCheck)
    })
  }).annotate({ identifier: `${tag}Body`, description: spec.when })

  return class ApiError extends Data.TaggedError(tag)<Options<Details["Type"]>> {
    static readonly code: Code = spec.code
    static readonly status: number = spec.status
    static readonly schema = Body.pipe(
      Schema.decodeTo(
        Schema.instanceOf(ApiError),
        SchemaTransformation.transformEffect({
          decode: ({ error }) => Effect.succeed(new ApiError({ message: error.message, details: error.details })),
          encode: (error) => Effect.map(CurrentCallId, (callId) => error.body(callId))
        })
      ),
      Schema.annotate({ httpApiStatus: spec.status, description: spec.when })
    )

    readonly [TypeId] = TypeId
    readonly code: Code = spec.code
    readonly status: number = spec.status
    check?: ErrorCheck | undefined

    constructor(options: Options<Details["Type"]> = {}) {
      super({ ...options, message: options.message ?? `${spec.when}.` })
    }

    body(callId: CallId, reader: Reader = "program"): typeof Body.Type {
      return {
        call_id: callId,
        error: {
          code: this.code,
          message: reader === "agent" ? this.agentMessage ?? this.message : this.message,
          ...(this.details === undefined ? {} : { details: this.details }),
          ...(this.check === undefined ? {} : { check: this.check })
        }
      }
    }
  }
}
