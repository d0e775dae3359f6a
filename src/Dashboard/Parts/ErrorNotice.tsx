import { useQueryClient } from "@tanstack/react-query"
import type { ServiceError } from "../Service/Service.ts"
import { Id } from "./Id.tsx"
import { Prose } from "./Prose.tsx"

const advice: Readonly<Record<string, string>> = {
  forbidden: "Ask an admin of this service for the right to do it.",
  rate_limited: "Wait a moment and try again.",
  unavailable: "The service is starting or stopping. Try again in a moment.",
  internal_error: "Try again. If it happens again, give the operator the id below.",
  unreachable: "The page asks again by itself."
}

const isMissing = ({ code }: ServiceError): boolean => code.endsWith("_not_found") && code !== "route_not_found"

const ReadAgain = () => {
  const queries = useQueryClient()
  return <button type="button" onClick={() => queries.refetchQueries({ type: "active" })}>Try again</button>
}

export const ErrorNotice = ({ error, isRead = false }: {
  readonly error: ServiceError
  readonly isRead?: boolean
}) => (
  <div className="notice error" role="alert">
    <strong>
      <Prose text={error.message} />
    </strong>
    {advice[error.code] !== undefined && (
      <span>
        {error.code === "unreachable" && !isRead
          ? "It may have been done: look before you try again."
          : advice[error.code]}
      </span>
    )}
    {isRead && isMissing(error) && <span>It was deleted, or you do not see it.</span>}
    {error.check && (
      <span>
        {error.check.fix}{" "}
        {error.check.url !== null && <a href={error.check.url} target="_blank" rel="noreferrer">Open the page</a>}
      </span>
    )}
    <span className="row-of meta">
      <code>{error.code}</code>
      {error.callId !== undefined && <Id id={error.callId} />}
      {isRead && !isMissing(error) && <ReadAgain />}
    </span>
  </div>
)
