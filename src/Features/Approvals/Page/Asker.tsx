import { Link } from "wouter"
import { useById } from "../../../Dashboard/Service/ById.ts"
import { useGrants, useKeys } from "../../../Dashboard/Service/Lists.ts"
import type { ApprovalSummary } from "../Declared.ts"

/** The key or agent that asks, by its name. */
export const Asker = ({ asked_by: { grant_id, key_id } }: Pick<ApprovalSummary, "asked_by">) => {
  const key = useById(useKeys().data)(key_id)
  const grant = useById(useGrants().data)(grant_id)
  const href = grant_id === null ? `/keys?search=${key_id}&state=all` : `/agents?search=${grant_id}&state=all`
  return <Link href={href}>{grant?.agent.name ?? key?.name ?? grant_id ?? key_id}</Link>
}
