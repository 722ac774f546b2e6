package io.millrace.wire.codec;

import io.netty.channel.DefaultFileRegion;

/// A file slice on its way to the socket. Netty's own region would close the file at the end; this one gives it back.
final class SliceRegion extends DefaultFileRegion {
    private final FileSlice slice;

    SliceRegion(FileSlice slice) {
        super(slice.channel(), slice.position(), slice.sizeInBytes());
        this.slice = slice;
    }

    @Override
    protected void deallocate() {
        slice.release();
    }
}
