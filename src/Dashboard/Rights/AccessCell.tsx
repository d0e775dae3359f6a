import type { AccessLevel } from "../../Domain/Access/Principal.ts"
import type { Rights } from "../../Domain/Access/Rights.ts"
import { accessWords } from "../Parts/Access.ts"
import { limitWords } from "./Rights.ts"

/** What a key or an agent may do, and below it what limits it. */
export const AccessCell = ({ rights }: { readonly rights: Rights & { readonly access: AccessLevel } }) => {
  const limits = limitWords(rights)
  return (
    <span>
      <span className="nowrap">{accessWords[rights.access]}</span>
      {limits !== "" && <span className="meta limits-words" title={limits}>{limits}</span>}
    </span>
  )
}
