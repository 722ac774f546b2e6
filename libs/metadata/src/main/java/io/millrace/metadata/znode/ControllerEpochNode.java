package io.millrace.metadata.znode;

/// `/controller_epoch`: a bare decimal number.
///
/// @param epoch 0 before the first controller
public record ControllerEpochNode(int epoch) {

    /// @throws MalformedZnode where it is no number
    public static ControllerEpochNode parse(String text) {
        try {
            return new ControllerEpochNode(Integer.parseInt(text.strip()));
        } catch (NumberFormatException _) {
            throw new MalformedZnode("controller epoch " + text);
        }
    }

    /// As it is stored.
    public String text() {
        return Integer.toString(epoch);
    }
}
