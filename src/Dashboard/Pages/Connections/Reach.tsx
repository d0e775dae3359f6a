import { useState } from "react"
import { Link } from "wouter"
import type { ManagedConnection } from "../../../Domain/Connection.ts"
import { Panel } from "../../Parts/Panel.tsx"
import { Prose } from "../../Parts/Prose.tsx"
import { useAccountResources } from "../../Rights/AccountResources.ts"
import { fileProviders, resourceNoun, resourceTitle } from "../../Rights/ResourceWords.ts"
import { useById } from "../../Service/ById.ts"
import { useConnections } from "../../Service/Lists.ts"
import { useSession } from "../../Session/Session.tsx"
import { ChangeReach } from "./ChangeReach.tsx"

const maxShown = 8

/** The resources that calls on the connection may use. */
export const Reach = ({ connection }: { readonly connection: ManagedConnection }) => {
  const { isAdmin } = useSession()
  const [changing, setChanging] = useState(false)
  const [showsAll, setShowsAll] = useState(false)
  const { parent_id, provider, resources, status } = connection
  const listed = useAccountResources(connection)
  const parent = useById(useConnections().data)(parent_id)
  const names = new Map(listed.data?.map(({ name, resource }) => [resource, name]))
  const reached = listed.data?.filter(({ allowed }) => allowed).map(({ resource }) => resource)
  // The bound names what cannot be listed, such as files that are not made yet.
  const shown = [...new Set([...resources ?? [], ...reached ?? []])]
  const visible = showsAll ? shown : shown.slice(0, maxShown)
  return (
    <Panel
      title="What it may reach"
      busy={listed.isLoading}
      beside={isAdmin && status !== "revoked" && (
        <button
          type="button"
          className="small"
          onClick={() => setChanging(true)}
        >
          Change what it may reach
        </button>
      )}
    >
      <p>{sentenceOf(connection, shown.length)}</p>
      {parent && (
        <p className="meta">
          It uses the sign-in of <Link href={`/connections/${parent.id}`}>{parent.label}</Link>, whose limits apply too.
        </p>
      )}
      {listed.error && (
        <p className="muted">
          What the account has could not be read: <Prose text={listed.error.message} />
        </p>
      )}
      {listed.isLoading && <span className="placeholder" />}
      {(resources !== null || !fileProviders.includes(provider)) && visible.length > 0 && (
        <ul className="plain-list resources">
          {visible.map((resource) => (
            <li key={resource} title={resource}>
              <bdi>{resourceTitle(resource, names.get(resource))}</bdi>
            </li>
          ))}
        </ul>
      )}
      {shown.length > visible.length && (
        <button
          type="button"
          className="quiet small"
          onClick={() => setShowsAll(true)}
        >
          Show all {shown.length.toLocaleString()}
        </button>
      )}
      {changing && <ChangeReach connection={connection} onClose={() => setChanging(false)} />}
    </Panel>
  )
}

const sentenceOf = ({ parent_id, provider, resources }: ManagedConnection, count: number): string => {
  const many = resourceNoun(provider, 2)
  if (resources?.length === 0) return `No ${resourceNoun(provider, 1)}. Calls about one are refused.`
  if (resources !== null) return `Only this. Calls about other ${many} are refused, as if they did not exist.`
  if (fileProviders.includes(provider)) return `Every ${resourceNoun(provider, 1)} that the account can open.`
  const now = count === 0 ? "" : ` Now ${count.toLocaleString()}:`
  return `Every ${resourceNoun(provider, 1)} ${
    parent_id === null ? "of the account, also new ones" : "that the connection it was shared from reaches"
  }.${now}`
}
