import type { LoggedCallDetail } from "../../../Api/Calls/LogsApi.ts"
import { millis } from "../../Parts/Numbers.ts"
import { operationWords } from "../../Parts/OperationWords.ts"
import { Time } from "../../Parts/Time.tsx"
import { resourceWords } from "../../Rights/ResourceWords.ts"
import { useById } from "../../Service/ById.ts"
import { useConnections, useGrants, useKeys, useMembers } from "../../Service/Lists.ts"
import { useSession } from "../../Session/Session.tsx"

const inputOf = (request: unknown): unknown =>
  typeof request === "object" && request !== null && "input" in request ? request.input : undefined

/** Who asked for what, when, and how long the answer took. */
export const CallSentence = ({ call }: { readonly call: LoggedCallDetail }) => {
  const asker = useAsker(call)
  const connection = useById(useConnections().data)(call.connection_id)
  const { cached, created_at, latency_ms, outcome, request, resource, target } = call
  return (
    <div className="call-sentence">
      <h2>
        <bdi>{asker}</bdi> asked to {target === null ? "call an operation" : operationWords(target, inputOf(request))}
        {resource !== null && (
          <>
            {" "}for <bdi>{resourceWords(resource)}</bdi>
          </>
        )}
      </h2>
      <p className="muted">
        <Time at={created_at} />
        {connection && (
          <>
            , through <bdi>{connection.label}</bdi>
          </>
        )}
        . {outcome === "ok" ? "Answered" : "Refused"} in {millis(latency_ms)}
        {cached && ", from the cache"}.
      </p>
    </div>
  )
}

const useAsker = ({ grant_id, key_id, member_id, via }: LoggedCallDetail): string => {
  const { isAdmin, member } = useSession()
  const agent = useById(useGrants().data)(grant_id)?.agent.name
  const key = useById(useKeys().data)(key_id)?.name
  const email = useById(useMembers(isAdmin).data)(member_id)?.email
  if (via === null) return "A caller that was not accepted"
  if (via === "session") return member_id === member.id ? "You" : email ?? "A member"
  return agent ?? key ?? (via === "grant" ? "An agent" : "An API key")
}
