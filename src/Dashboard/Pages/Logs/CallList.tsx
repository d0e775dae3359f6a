import type { LoggedCall } from "../../../Domain/Calls/Call.ts"
import { CallState } from "../../Frame/CallState.tsx"
import { Middle } from "../../Parts/Middle.tsx"
import { millis } from "../../Parts/Numbers.ts"
import { ProviderMark, useProviderName } from "../../Parts/Provider.tsx"
import { Time } from "../../Parts/Time.tsx"
import { resourceWords } from "../../Rights/ResourceWords.ts"
import { useById } from "../../Service/ById.ts"
import { useConnections } from "../../Service/Lists.ts"

const placeholders = [0, 1, 2, 3, 4, 5, 6, 7]

export const CallList = ({ calls, onSelect, selected }: {
  readonly calls: ReadonlyArray<LoggedCall> | undefined
  readonly selected: string
  readonly onSelect: (id: string) => void
}) => {
  const connectionOf = useById(useConnections().data)
  const nameOf = useProviderName()
  return (
    <>
      {calls?.length !== 0 && (
        <div className="calls-head" aria-hidden="true">
          <span>Outcome</span>
          <span>Operation</span>
          <span>Resource</span>
          <span>Connection</span>
          <span className="number">Latency</span>
          <span>Time</span>
        </div>
      )}
      <ul className="calls" aria-label="Calls" aria-busy={calls === undefined}>
        {calls
          ? calls.map((call) => (
            <li key={call.id} data-call={call.id}>
              <button type="button" aria-pressed={call.id === selected} onClick={() => onSelect(call.id)}>
                <CallState call={call} />
                <span className="target mono">
                  {call.provider !== null && (
                    <>
                      <ProviderMark id={call.provider} />
                      <span className="visually-hidden">{nameOf(call.provider)}</span>
                      {" "}
                    </>
                  )}
                  {call.target?.replace(/^\w+:/, "") ?? "unknown operation"}
                </span>
                <span className="meta about">
                  {call.resource !== null && <Middle text={resourceWords(call.resource)} />}
                </span>
                <span className="meta where">
                  <Middle
                    text={connectionOf(call.connection_id)?.label ?? call.connection_id ?? "no connection"}
                  />
                </span>
                <span className="meta number">
                  {call.cached && "cached,"} {millis(call.latency_ms)}
                </span>
                <span className="meta when">
                  <Time at={call.created_at} />
                </span>
              </button>
            </li>
          ))
          : placeholders.map((index) => (
            <li key={index} className="call-placeholder">
              <span className="placeholder" />
            </li>
          ))}
      </ul>
    </>
  )
}
