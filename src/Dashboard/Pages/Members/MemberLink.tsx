import type { Member } from "../../../Domain/Member.ts"
import { Code } from "../../Parts/Code.tsx"
import { Dialog } from "../../Parts/Dialog.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useServiceMutation } from "../../Service/Queries.ts"

export const useMemberLink = () =>
  useServiceMutation((service, id: string) => service.memberLinks.create({ params: { id } }), ["audit"])

export const MemberLinkDialog = ({ create, member, onClose, title }: {
  readonly create: ReturnType<typeof useMemberLink>
  readonly member: Member
  readonly title: string
  readonly onClose: () => void
}) => (
  <Dialog title={title} onClose={onClose}>
    {create.data
      ? (
        <>
          <p>
            Send this sign-in link to the member yourself. It is shown only this once, works once, and ends{" "}
            <Time at={create.data.expires_at} />.
          </p>
          <Code text={create.data.url} what="the sign-in link" />
        </>
      )
      : <p>A sign-in link lets the member sign in and set a password. An earlier link of the member ends.</p>}
    {create.error && <ErrorNotice error={create.error} />}
    <div className="dialog-actions">
      {create.data
        ? <button type="button" className="primary" onClick={onClose}>Done</button>
        : (
          <>
            <button type="button" onClick={onClose}>Cancel</button>
            <button
              type="button"
              className="primary"
              disabled={create.isPending}
              onClick={() => create.mutate(member.id)}
            >
              Make the link
            </button>
          </>
        )}
    </div>
  </Dialog>
)

export const MemberLink = ({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) => (
  <MemberLinkDialog
    create={useMemberLink()}
    member={member}
    title={`Make a sign-in link for ${member.email}`}
    onClose={onClose}
  />
)
