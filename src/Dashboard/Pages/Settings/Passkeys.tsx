import { useState } from "react"
import type { Passkey } from "../../../Domain/SignIn/Passkey.ts"
import { Confirm } from "../../Parts/Confirm.tsx"
import { Empty } from "../../Parts/Empty.tsx"
import { confirming } from "../../Parts/Form.ts"
import { type Column, Table } from "../../Parts/Table.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useServiceMutation, useServiceQuery } from "../../Service/Queries.ts"
import { PasskeyForm } from "../../Session/PasskeyForm.tsx"

export const Passkeys = ({ canAdd, needsCurrent }: { readonly canAdd: boolean; readonly needsCurrent: boolean }) => {
  const passkeys = useServiceQuery(["passkeys"], ({ passkeys }) => passkeys.list())
  const remove = useServiceMutation(({ passkeys }, id: string) => passkeys.remove({ params: { id } }), [
    "passkeys",
    "session"
  ])
  const [leaving, setLeaving] = useState<Passkey>()
  const columns: ReadonlyArray<Column<Passkey>> = [
    { title: "Name", cell: ({ name }) => <span className="name">{name}</span> },
    { title: "Added", minor: true, cell: ({ created_at }) => <Time at={created_at} /> },
    {
      title: "Last used",
      cell: ({ last_used_at }) => last_used_at ? <Time at={last_used_at} /> : <span className="muted">never</span>
    },
    {
      title: "Actions",
      kind: "actions",
      cell: (passkey) => (
        <button
          type="button"
          aria-label={`Remove ${passkey.name}`}
          onClick={() => setLeaving(passkey)}
        >
          Remove
        </button>
      )
    }
  ]
  return (
    <div className="stack in-order">
      <Table
        label="Passkeys"
        expected={1}
        columns={columns}
        rows={passkeys.data?.passkeys}
        rowKey={({ id }) => id}
        error={passkeys.error}
        reloading={passkeys.isFetching}
        empty={<Empty>You have no passkey. With one, you sign in without a password.</Empty>}
      />
      {canAdd
        ? <PasskeyForm needsCurrent={needsCurrent} onDone={() => {}} />
        : (
          <p className="muted">
            Browsers allow passkeys with https and on localhost, and not for an IP address. Open this page there.
          </p>
        )}
      {leaving && (
        <Confirm
          title={`Remove ${leaving.name}`}
          action="Remove it"
          {...confirming(remove, leaving.id, () => setLeaving(undefined))}
          onClose={() => setLeaving(undefined)}
        >
          <p>You can no longer sign in with this passkey. Your sessions continue.</p>
        </Confirm>
      )}
    </div>
  )
}
