import type { Client } from "../../../Domain/Client.ts"
import { Confirm } from "../../Parts/Confirm.tsx"
import { Fact } from "../../Parts/Fact.tsx"
import { confirming } from "../../Parts/Form.ts"
import { useConnections, useConnectLinks, useDeleteClient, useMembers } from "../../Service/Lists.ts"
import { hasConnectLinks } from "../../Service/ServedPage.ts"

export const DeleteClient = ({ client, onClose, onDeleted = onClose }: {
  readonly client: Client
  readonly onClose: () => void
  readonly onDeleted?: () => void
}) => {
  const remove = useDeleteClient()
  const active = useConnections().data?.filter(({ client_id, status }) =>
    client_id === client.id && status === "active"
  )
  const links = useConnectLinks().data?.filter(({ client_id, status }) => client_id === client.id && status === "open")
  const members = useMembers(true).data?.filter(({ client_ids }) => client_ids?.includes(client.id))
  const isUsed = active === undefined || active.length > 0
  return (
    <Confirm
      title={`Delete ${client.name}?`}
      action={isUsed ? "Revoke its connections and delete it" : "Delete the client"}
      {...confirming(remove, { id: client.id, revoke: isUsed }, onDeleted)}
      busy={remove.isPending || active === undefined}
      typed={isUsed ? client.name : undefined}
      onClose={onClose}
    >
      <p>
        Its active connections are revoked, also at their providers, and calls that use them fail. Its open connect
        links end, keys made for it are revoked, and members no longer see it. Its calls stay in the log.
      </p>
      <dl className="facts" aria-label="What depends on it">
        <Fact name="Active connections">{active?.length ?? "…"}</Fact>
        {hasConnectLinks && <Fact name="Open connect links">{links?.length ?? "…"}</Fact>}
        <Fact name="Members who see it">{members?.length ?? "…"}</Fact>
      </dl>
    </Confirm>
  )
}
