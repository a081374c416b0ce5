/*
 * Hashes of the parts of a model: equal parts, equal hashes; anything else changes them.
 */
#include "tests/tap.h"

#include "ir/build.h"
#include "ir/hash.h"

static struct chunk memory(const void *bytes, uint64_t len)
{
	return (struct chunk){.memory = bytes, .len = len};
}

TEST(ids_count_with_their_order_and_number)
{
	static const uint32_t ids[] = {1, 2, 3}, others[] = {1, 3, 2};

	CHECK(ids_hash(ids, 3, 7) == ids_hash(ids, 3, 7));
	CHECK(ids_hash(ids, 3, 7) != ids_hash(ids, 3, 8));
	CHECK(ids_hash(ids, 3, 7) != ids_hash(ids, 2, 7));
	CHECK(ids_hash(ids, 3, 7) != ids_hash(others, 3, 7));
	CHECK(ids_hash(NULL, 0, 7) == ids_hash(ids, 0, 7));
}

TEST(a_tensor_counts_by_type_or_with_its_elements)
{
	int64_t dims[] = {2, 4}, others[] = {4, 2};
	struct chunk one = memory("abcdefgh", 8), two = memory("abcdefgX", 8), file = one;
	struct tensor t = {.elem = ELEM_UINT8, .rank = 2, .dims = dims, .data = {&one, 1, 0}};
	struct tensor turned = t, changed = t, unread = t;

	turned.dims = others;
	changed.data.chunks = &two;
	file.place = CHUNK_FILE;
	unread.data.chunks = &file;
	CHECK(tensor_type_hash(&t, 1) != tensor_type_hash(&turned, 1));
	CHECK(tensor_type_hash(&t, 1) == tensor_type_hash(&changed, 1));
	CHECK(tensor_hash(&t, 1) != tensor_hash(&changed, 1));
	CHECK(tensor_hash(&t, 1) != tensor_hash(&unread, 1));
}

TEST(an_attribute_counts_by_kind_and_value)
{
	struct attr one = {.kind = ATTR_INT, .i = 1}, two = {.kind = ATTR_INT, .i = 2};
	struct attr text = {.kind = ATTR_STRING, .text = SV("SAME")}, other = text;
	struct attr few = {.kind = ATTR_TENSORS, .count = 1}, many = few;
	struct attr zero = {.kind = ATTR_FLOAT, .f = 0.0f},
		    minus = {.kind = ATTR_FLOAT, .f = -0.0f};
	struct model m;

	model_init(&m);
	other.text = SV("VALID");
	many.count = 2;
	CHECK(attr_hash(&m, &one, true, 1) == attr_hash(&m, &one, true, 1));
	CHECK(attr_hash(&m, &one, true, 1) != attr_hash(&m, &two, true, 1));
	CHECK(attr_hash(&m, &text, true, 1) != attr_hash(&m, &other, true, 1));
	CHECK(attr_hash(&m, &few, true, 1) != attr_hash(&m, &many, true, 1));
	CHECK(attr_hash(&m, &zero, true, 1) != attr_hash(&m, &minus, true, 1));
	model_release(&m);
}

TEST(an_attributes_tensor_counts_by_type_when_asked)
{
	struct chunk here = memory("1234", 4), there = memory("5678", 4);
	struct tensor t = {.elem = ELEM_FLOAT32, .data = {&here, 1, 0}};
	struct attr a = {.kind = ATTR_TENSOR}, b = a;
	struct model m;

	model_init(&m);
	a.tensor = (uint32_t)m.tensors.len;
	vec_push(&m.tensors, t);
	b.tensor = (uint32_t)m.tensors.len;
	t.data.chunks = &there;
	vec_push(&m.tensors, t);
	CHECK(attr_hash(&m, &a, false, 1) == attr_hash(&m, &b, false, 1));
	CHECK(attr_hash(&m, &a, true, 1) != attr_hash(&m, &b, true, 1));
	model_release(&m);
}

TEST(strings_count_by_their_text)
{
	struct sv one[] = {SV("a"), SV("bc")}, same[] = {SV("a"), SV("bc")},
		  other[] = {SV("ab"), SV("c")};
	struct chunk chunks[] = {memory(one, sizeof(one)), memory(same, sizeof(same)),
				 memory(other, sizeof(other))};
	uint64_t tensors[3], attrs[3];
	struct model m;

	model_init(&m);
	for (size_t i = 0; i < 3; i++) {
		struct tensor t = {.elem = ELEM_STRING, .data = {&chunks[i], 1, ELEM_FIELD_STRING}};
		struct attr a = {.kind = ATTR_STRINGS, .count = 2, .list = t.data};

		chunks[i].coding = CODING_VIEWS;
		tensors[i] = tensor_hash(&t, 1);
		attrs[i] = attr_hash(&m, &a, true, 1);
	}
	CHECK(tensors[0] == tensors[1] && tensors[0] != tensors[2]);
	CHECK(attrs[0] == attrs[1] && attrs[0] != attrs[2]);
	model_release(&m);
}

TESTS(T(ids_count_with_their_order_and_number), T(a_tensor_counts_by_type_or_with_its_elements),
      T(an_attribute_counts_by_kind_and_value), T(an_attributes_tensor_counts_by_type_when_asked),
      T(strings_count_by_their_text))
