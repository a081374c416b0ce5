"""Models as other exporters write them: nodes have no names, and no metadata that says where they come from.

    python3 unnamed.py MODEL OUT
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'models'))
from wire import varint

GRAPH_OF_MODEL, NODE_OF_GRAPH, NAME_OF_NODE, ATTRIBUTE_OF_NODE, METADATA_OF_NODE = 7, 1, 3, 5, 9
GRAPHS_OF_ATTRIBUTE = (6, 11)


def number(data, at):
    """A varint, and where it ends."""
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if not data[at - 1] & 0x80:
            return value, at


def changed(data, change):
    """A message in which `change` has replaced the content of each length-delimited field, or removed the field."""
    out, at = bytearray(), 0
    while at < len(data):
        start = at
        tag, at = number(data, at)
        kind = tag & 7
        if kind == 0:
            _, at = number(data, at)
        elif kind == 2:
            size, at = number(data, at)
            content = change(tag >> 3, data[at:at + size])
            at += size
            if content is not None:
                out += varint(tag) + varint(len(content)) + content
            continue
        else:
            at += {1: 8, 5: 4}[kind]
        out += data[start:at]
    return bytes(out)


def unnamed_attribute(field, content):
    return changed(content, unnamed_graph) if field in GRAPHS_OF_ATTRIBUTE else content


def unnamed_node(field, content):
    if field in (NAME_OF_NODE, METADATA_OF_NODE):
        return None
    return changed(content, unnamed_attribute) if field == ATTRIBUTE_OF_NODE else content


def unnamed_graph(field, content):
    return changed(content, unnamed_node) if field == NODE_OF_GRAPH else content


def unnamed(model):
    return changed(model, lambda field, content: changed(content, unnamed_graph) if field == GRAPH_OF_MODEL else content)


if __name__ == '__main__':
    with open(sys.argv[1], 'rb') as file:
        content = file.read()
    with open(sys.argv[2], 'wb') as file:
        file.write(unnamed(content))
